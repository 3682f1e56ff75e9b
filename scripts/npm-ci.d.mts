export const NPM_CI: readonly string[];
export function npmCiProgress(folder: string, logFile: string): () => string;
