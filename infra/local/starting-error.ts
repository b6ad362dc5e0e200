import { SettingError } from './settings.ts';

/** What went wrong while starting, in one line that says what to change. */
export function startingErrorLine(error: unknown): string {
  if (error instanceof SettingError) return `tollgate: ${error.message}`;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    const port = 'port' in error ? error.port : undefined;
    return `tollgate: port ${port} is taken. Set PORT (or DYNAMODB_PORT) to a free one.`;
  }
  return `tollgate: ${error instanceof Error ? error.message : String(error)}`;
}
