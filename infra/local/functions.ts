import { installLambdaGlobals, type StreamingHandler } from './lambda-globals.ts';

/** The Lambda functions behind the gateway's paths, and the scheduled sweep. */
export interface LocalFunctions {
  readonly handlerFor: (path: string) => StreamingHandler;
  readonly sweepHolds: () => Promise<unknown>;
}

/**
 * Imports the very handlers that are deployed. They read their settings from the environment when
 * they are imported, so it must be complete before.
 */
export async function importFunctions(): Promise<LocalFunctions> {
  installLambdaGlobals();
  const [chatCompletions, responses, models, catalog, notFound, sweep] = await Promise.all([
    import('../../functions/chat-completions/handler.ts'),
    import('../../functions/responses/handler.ts'),
    import('../../functions/models/handler.ts'),
    import('../../functions/catalog/handler.ts'),
    import('../../functions/not-found/handler.ts'),
    import('../../functions/sweep-holds/handler.ts'),
  ]);
  const routes = new Map<string, unknown>([
    ['/v1/chat/completions', chatCompletions.handler],
    ['/v1/responses', responses.handler],
    ['/v1/models', models.handler],
    ['/v1/catalog', catalog.handler],
  ]);
  return {
    // Under the local `awslambda` a middy handler is the streaming function itself.
    handlerFor: (path) => (routes.get(path) ?? notFound.handler) as StreamingHandler,
    sweepHolds: sweep.handler,
  };
}
