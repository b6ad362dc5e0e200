import type {
  BetaTextBlockParam,
  BetaToolUseBlockParam,
} from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { invalidRequest } from '../../api/error.ts';
import type { ToolResultEntry } from './conversation.ts';
import { parseArguments } from './tool-arguments.ts';

const CALL_ID = /^[\w-]+$/;

interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as JSON text. */
  readonly text: string;
}

/** A call of a function in the conversation so far. `fields` say where its parts stand. */
export function toolUse(
  call: ToolCall,
  fields: { readonly id: string; readonly arguments: string },
): BetaToolUseBlockParam {
  return {
    type: 'tool_use',
    id: checkedCallId(call.id, fields.id),
    name: call.name,
    input: parseArguments(call.text, fields.arguments),
  };
}

interface ToolAnswer {
  readonly callId: string;
  readonly content: readonly BetaTextBlockParam[];
  /** Where the call's ID stands. */
  readonly field: string;
}

/** The result of a call; one without text says that the call is done. */
export function toolResult({ callId, content, field }: ToolAnswer): ToolResultEntry {
  const tool_use_id = checkedCallId(callId, field);
  return {
    role: 'tool',
    field,
    result: {
      type: 'tool_result',
      tool_use_id,
      ...(content.length > 0 && { content: [...content] }),
    },
  };
}

function checkedCallId(id: string, field: string): string {
  if (CALL_ID.test(id)) return id;
  throw invalidRequest(`${field} may hold only letters, digits, "_" and "-" on this model`);
}
