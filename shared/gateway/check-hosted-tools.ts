import { invalidRequest } from '../api/error.ts';
import { isWebFetchTool, isWebSearchTool } from '../api/hosted-tools.ts';
import type { ResponsesRequest } from '../api/responses-request.ts';
import type { WebFetchTool, WebSearchTool } from '../api/tools.ts';
import type { Deployment } from '../catalog/types.ts';

/** Names that only Anthropic has for its search tool. */
const ANTHROPIC_SEARCH_TYPES: readonly string[] = ['web_search_20250305', 'web_search_20260209'];

/** Refuses hosted tools, settings and caps that the deployment cannot take (2.7). Throws a 400. */
export function checkHostedTools(request: ResponsesRequest, deployment: Deployment): void {
  const tools = request.tools ?? [];
  tools.forEach((tool, index) => {
    const path = `tools[${index}]`;
    if (isWebSearchTool(tool)) checkWebSearch(tool, path, deployment);
    else if (isWebFetchTool(tool)) checkWebFetch(tool, path, deployment);
  });
  if (deployment.family === 'anthropic') checkSingleTools(request);
  checkMaxToolCalls(request, deployment);
}

function checkWebSearch(tool: WebSearchTool, path: string, deployment: Deployment): void {
  const { model, family, capabilities } = deployment;
  if (!capabilities.webSearch) {
    throw invalidRequest(
      `${path}: web search is not available on model ${model} at provider ${deployment.provider}; leave it out`,
    );
  }
  if (family === 'openai') checkOpenaiSearch(tool, path, deployment);
}

function checkOpenaiSearch(tool: WebSearchTool, path: string, { model }: Deployment): void {
  if (ANTHROPIC_SEARCH_TYPES.includes(tool.type)) {
    throw invalidRequest(
      `${path}.type "${tool.type}" is not taken by model ${model}; use "web_search"`,
    );
  }
  if (tool.max_uses !== undefined) {
    throw invalidRequest(`${path}.max_uses is not taken by model ${model}; use max_tool_calls`);
  }
}

function checkWebFetch(tool: WebFetchTool, path: string, deployment: Deployment): void {
  if (deployment.family !== 'anthropic') {
    throw invalidRequest(
      `${path}.type "${tool.type}" is not taken by model ${deployment.model}; leave it out`,
    );
  }
}

/** Anthropic's hosted tools carry their names, and no two tools of a request may share one. */
function checkSingleTools({ tools = [] }: ResponsesRequest): void {
  for (const isKind of [isWebSearchTool, isWebFetchTool]) {
    const first = tools.findIndex(isKind);
    const second = tools.findIndex((tool, index) => index > first && first >= 0 && isKind(tool));
    if (second >= 0) {
      throw invalidRequest(
        `tools[${second}] repeats tools[${first}]; declare each hosted tool once`,
      );
    }
  }
}

/**
 * `max_tool_calls` caps hosted tools that are priced by the call. On the Anthropic family it must
 * translate to the `max_uses` of one tool, and agree with it where both are given.
 */
function checkMaxToolCalls(
  { max_tool_calls: cap, tools = [] }: ResponsesRequest,
  { family }: Deployment,
): void {
  if (cap === undefined) return;
  const capped = tools.filter(
    (tool) => isWebSearchTool(tool) || (family === 'anthropic' && isWebFetchTool(tool)),
  );
  const [tool] = capped;
  if (!tool) {
    throw invalidRequest(
      'max_tool_calls caps priced hosted tools and tools has none; leave it out, or add a web_search tool',
    );
  }
  if (family !== 'anthropic') return;
  if (capped.length > 1) {
    throw invalidRequest(
      'max_tool_calls cannot be shared among several hosted tools on this model; give each max_uses instead',
    );
  }
  if ('max_uses' in tool && tool.max_uses !== undefined && tool.max_uses !== cap) {
    throw invalidRequest(
      'max_tool_calls and the max_uses of the hosted tool differ; send only one',
    );
  }
}
