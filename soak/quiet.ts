// n8n logs every failed node when it is loaded with its defaults; the ledger keeps their errors.
process.env.N8N_LOG_LEVEL ??= 'silent';
