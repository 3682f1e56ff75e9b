#!/bin/sh
# Copies the image's nodes into n8n's folder, then starts n8n. The folder is a volume, which outlives the image. Without
# this, a newer image would still use the nodes of the first one.
set -eu

packages="${NODES_SOURCE:-/opt/n8n-nodes}"
folder="${N8N_USER_FOLDER:-$HOME}/.n8n/nodes/node_modules"

mkdir -p "$folder"
for package in "$packages"/*; do
  name="$(basename "$package")"
  rm -rf "$folder/$name"
  cp -R "$package" "$folder/$name"
done

exec "${N8N_ENTRYPOINT:-/docker-entrypoint.sh}" "$@"
