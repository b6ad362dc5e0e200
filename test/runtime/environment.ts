import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type FunctionResponse, readFunctionResponse } from './function-response.ts';
import { type Posted, type RuntimeApi, startRuntimeApi } from './runtime-api.ts';

export interface EnvironmentOptions {
  /** A bundle that `buildFunction` made: what stands at `/var/task`. */
  readonly bundleFolder: string;
  /** The function's own variables; those of the platform are set beside them. */
  readonly environment?: Readonly<Record<string, string>>;
  /** How long one invocation may take before the environment is ended; default 30 s. */
  readonly timeoutMs?: number;
  /** The process is stopped while it has no invocation, as the platform freezes it. */
  readonly frozenWhenIdle?: boolean;
  /** Told what the function logs, as it does. */
  readonly log?: (text: string) => void;
}

/** One execution environment: a process that runs a bundle under the real runtime client. */
export interface ExecutionEnvironment {
  readonly process: ChildProcess;
  /** Milliseconds from the start of the process until it asked for its first invocation. */
  readonly readyMs: number;
  /** Runs one event; one at a time. Never rejects: an environment that ends answers as the platform. */
  invoke(event: unknown): Promise<FunctionResponse>;
  /** Resolves when the invocation is over: it may take the next one. Rejects when it has ended. */
  idle(): Promise<void>;
  /** Everything logged so far. */
  output(): string;
  stop(): Promise<void>;
}

const RUNTIME = createRequire(import.meta.url).resolve('aws-lambda-ric');
const NATIVE_CLIENT = join(import.meta.dirname, 'rapid-client.cjs');
const TIMEOUT_MS = 30_000;

/** Starts an environment and waits until it is ready. Throws when the function does not load. */
export async function startEnvironment(options: EnvironmentOptions): Promise<ExecutionEnvironment> {
  const api = await startRuntimeApi();
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--require', NATIVE_CLIENT, RUNTIME], {
    cwd: options.bundleFolder,
    env: { ...platformVariables(options, api), ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collectOutput(child, options.log);
  const exited = once(child, 'exit').then(() => undefined);
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    kill();
    await exited;
    api.close();
  };
  const ended = exited.then((): never => {
    throw new Error(`the environment has ended:\n${output()}`);
  });
  await Promise.race([api.asked(), ended, failToLoad(api)]).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const running: Running = { api, child, ended, options, idle: Promise.resolve() };
  return {
    process: child,
    readyMs: performance.now() - startedAt,
    invoke: (event) => invoke(running, event),
    idle: () => running.idle,
    output,
    stop,
  };
}

interface Running {
  readonly api: RuntimeApi;
  readonly child: ChildProcess;
  /** Rejects when the process has ended. */
  readonly ended: Promise<never>;
  readonly options: EnvironmentOptions;
  /** The end of the last invocation. */
  idle: Promise<void>;
}

async function invoke(running: Running, event: unknown): Promise<FunctionResponse> {
  const { api, child, ended, options } = running;
  const { timeoutMs = TIMEOUT_MS, frozenWhenIdle = false } = options;
  const late = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  child.kill('SIGCONT');
  const invocation = {
    requestId: crypto.randomUUID(),
    event,
    deadlineMs: Date.now() + timeoutMs,
  };
  const posted = await Promise.race([api.invoke(invocation), ended]).catch(exited);
  running.idle = Promise.race([api.asked(), ended])
    .then(() => void (frozenWhenIdle && child.kill('SIGSTOP')))
    .finally(() => clearTimeout(late));
  running.idle.catch(() => undefined);
  return readFunctionResponse(posted);
}

function exited(): Posted {
  const errorMessage = 'the runtime exited without providing a reason';
  return { kind: 'error', error: { errorType: 'Runtime.ExitError', errorMessage } };
}

async function failToLoad(api: RuntimeApi): Promise<never> {
  const { errorType, errorMessage } = await api.initFault;
  throw new Error(`the function does not load: ${errorType}: ${errorMessage}`);
}

/** What the platform sets, as far as the runtime, the SDK and the bundles look at it. */
function platformVariables(
  { bundleFolder }: EnvironmentOptions,
  { address }: RuntimeApi,
): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    _HANDLER: 'index.handler',
    LAMBDA_TASK_ROOT: bundleFolder,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_RUNTIME_API: address,
    AWS_LAMBDA_NODEJS_USE_ALTERNATIVE_CLIENT_1: 'true',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_FUNCTION_NAME: 'tollgate',
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
    AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/tollgate',
    AWS_LAMBDA_LOG_STREAM_NAME: '2026/11/18/[$LATEST]0123456789abcdef',
    AWS_REGION: 'us-east-1',
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'ASIATESTONLY',
    AWS_SECRET_ACCESS_KEY: 'test-only',
    AWS_SESSION_TOKEN: 'test-only',
  };
}

function collectOutput(child: ChildProcess, log: EnvironmentOptions['log']): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8');
    stream?.on('data', (text: string) => {
      output += text;
      log?.(text);
    });
  }
  return () => output;
}
