// With its defaults, n8n logs every failed node. The ledger keeps their errors.
process.env.N8N_LOG_LEVEL ??= 'silent';
