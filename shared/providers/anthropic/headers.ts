import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/beta/messages/messages';

const MCP_BLOCK = 'mcp_tool_use';

/** Each beta, whether the request uses it. The order is that of the header: same request, same bytes. */
const BETAS: readonly (readonly [name: string, isUsed: (body: MessageCreateParams) => boolean])[] =
  [
    ['mcp-client-2025-11-20', usesMcp],
    ['fast-mode-2026-02-01', (body) => body.speed === 'fast'],
    ['task-budgets-2026-03-13', (body) => Boolean(body.output_config?.task_budget)],
    ['compact-2026-01-12', (body) => editTypes(body).some(isCompaction)],
    ['context-management-2025-06-27', usesContextManagement],
    ['interleaved-thinking-2025-05-14', thinksBetweenTools],
  ];

/** Headers beyond content type, version and credential: the betas that the body's fields need. */
export function requestHeaders(body: MessageCreateParams): Record<string, string> {
  const betas = BETAS.filter(([, isUsed]) => isUsed(body)).map(([name]) => name);
  return betas.length === 0 ? {} : { 'anthropic-beta': betas.join(',') };
}

function usesMcp({ mcp_servers, messages }: MessageCreateParams): boolean {
  if (mcp_servers && mcp_servers.length > 0) return true;
  return messages.some(
    ({ content }) => Array.isArray(content) && content.some(({ type }) => type === MCP_BLOCK),
  );
}

/** The types of the edits: the object is the client's own, so nothing is known of its shape. */
function editTypes({ context_management }: MessageCreateParams): string[] {
  const edits: unknown = context_management?.edits;
  return Array.isArray(edits)
    ? edits.map((edit: { type?: unknown } | null) => `${edit?.type}`)
    : [];
}

function isCompaction(type: string): boolean {
  return type.startsWith('compact');
}

function usesContextManagement(body: MessageCreateParams): boolean {
  return (
    Boolean(body.context_management) &&
    !(editTypes(body).length > 0 && editTypes(body).every(isCompaction))
  );
}

/** Adaptive thinking goes on between tool calls by itself; a fixed budget needs the beta for it. */
function thinksBetweenTools({ thinking, tools }: MessageCreateParams): boolean {
  return thinking?.type === 'enabled' && (tools ?? []).length > 0;
}
