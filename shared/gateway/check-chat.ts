import type { ChatCompletionRequest } from '../api/chat-request.ts';
import { invalidRequest } from '../api/error.ts';
import { effectiveOutputCap } from '../api/output-cap.ts';
import { chatReasoning } from '../api/reasoning.ts';
import type { Deployment } from '../catalog/types.ts';
import { checkCacheMarkers } from './check-cache.ts';
import {
  checkFamilyFields,
  checkOutputCap,
  checkOutputFormat,
  checkToolKinds,
  checkVerbosity,
} from './check-fields.ts';
import { checkReasoning } from './check-reasoning.ts';

/**
 * Refuses what the deployment cannot take of a chat request (2.4): fields of the other family and
 * what the catalog knows of the model. Throws a 400 that names the field.
 */
export function checkChatRequest(request: ChatCompletionRequest, deployment: Deployment): void {
  const intent = chatReasoning(request);
  checkFamilyFields(request, deployment);
  checkToolKinds(request.tools, deployment);
  checkReasoning(intent, deployment, effectiveOutputCap(request));
  checkOutputCap(request, intent, deployment);
  checkCacheMarkers(request, deployment);
  checkVerbosity('verbosity', request.verbosity, deployment);
  checkOutputFormat('response_format', request.response_format?.type, deployment);
  checkPrediction(request, deployment);
  checkWebSearchOptions(request, deployment);
}

function checkPrediction({ prediction }: ChatCompletionRequest, deployment: Deployment): void {
  if (!prediction || deployment.capabilities.prediction) return;
  throw invalidRequest(`prediction is not taken by model ${deployment.model}; leave it out`);
}

/** Search models of the OpenAI family take the options; Anthropic's get the hosted search tool. */
function checkWebSearchOptions(
  { web_search_options: options }: ChatCompletionRequest,
  { model, family, capabilities }: Deployment,
): void {
  if (!options || capabilities.searchModel) return;
  if (family === 'anthropic' && capabilities.webSearch) return;
  throw invalidRequest(
    `web_search_options is not taken by model ${model}; use a search model, or a web_search tool on POST /v1/responses`,
  );
}
