import { invalidRequest } from '../api/error.ts';
import { effectiveOutputCap } from '../api/output-cap.ts';
import { responsesReasoning } from '../api/reasoning.ts';
import type { ResponsesRequest } from '../api/responses-request.ts';
import type { Deployment } from '../catalog/types.ts';
import { checkCacheMarkers } from './check-cache.ts';
import {
  checkFamilyFields,
  checkOutputCap,
  checkOutputFormat,
  checkToolKinds,
  checkVerbosity,
} from './check-fields.ts';
import { checkHostedTools } from './check-hosted-tools.ts';
import { checkReasoning } from './check-reasoning.ts';

/**
 * Refuses what the deployment cannot take of a responses request (2.7): fields of the other family
 * and what the catalog knows of the model. Throws a 400 that names the field.
 */
export function checkResponsesRequest(request: ResponsesRequest, deployment: Deployment): void {
  const intent = responsesReasoning(request);
  checkFamilyFields(request, deployment);
  checkToolKinds(request.tools, deployment);
  checkHostedTools(request, deployment);
  checkReasoning(intent, deployment, effectiveOutputCap(request));
  checkOutputCap(request, intent, deployment);
  checkCacheMarkers(request, deployment);
  checkVerbosity('text.verbosity', request.text?.verbosity, deployment);
  checkOutputFormat('text.format', request.text?.format?.type, deployment);
  if (deployment.family === 'anthropic') checkAnthropicOnly(request, deployment);
  else checkMcpApprovals(request);
}

/** Settings of the OpenAI family whose neutral value alone has an equivalent at Anthropic. */
function checkAnthropicOnly(request: ResponsesRequest, { model }: Deployment): void {
  if (request.truncation !== undefined && request.truncation !== 'disabled') {
    throw invalidRequest(
      `truncation must be "disabled" on model ${model}; change it or leave it out`,
    );
  }
  if (request.stream_options?.include_obfuscation === true) {
    throw invalidRequest(
      `stream_options.include_obfuscation cannot be true on model ${model}; leave it out`,
    );
  }
}

/** An approval answers a request for it in the same input: nothing else is stored anywhere. */
function checkMcpApprovals({ input }: ResponsesRequest): void {
  if (typeof input === 'string') return;
  const requested = new Set<string>();
  input.forEach((item, index) => {
    if (item.type === 'mcp_approval_request' && item.id !== undefined) requested.add(item.id);
    if (item.type !== 'mcp_approval_responses' && item.type !== 'mcp_approval_response') return;
    if (requested.has(item.approval_request_id)) return;
    throw invalidRequest(
      `input[${index}].approval_request_id answers no mcp_approval_request before it; send both items`,
    );
  });
}
