import {
  type EnvironmentOptions,
  type ExecutionEnvironment,
  startEnvironment,
} from './environment.ts';
import { badGateway, type FunctionResponse } from './function-response.ts';

/** The environments of one function: each serves one invocation at a time. */
export interface EnvironmentPool {
  /** Runs an event in an idle environment, in a new one, or as soon as one is idle. */
  invoke(event: unknown): Promise<FunctionResponse>;
  environments(): readonly ExecutionEnvironment[];
  /** What all of them logged, also those that have ended. */
  output(): string;
  /** Waits for the running invocations and ends everything. */
  stop(): Promise<void>;
}

export function startPool(options: EnvironmentOptions, limit: number): EnvironmentPool {
  const started: ExecutionEnvironment[] = [];
  const idle: ExecutionEnvironment[] = [];
  const waiting: PromiseWithResolvers<ExecutionEnvironment>[] = [];
  const running = new Set<Promise<void>>();
  const failures: string[] = [];
  let living = 0;

  const take = async (): Promise<ExecutionEnvironment> => {
    const free = idle.pop();
    if (free) return free;
    if (living >= limit) {
      const turn = Promise.withResolvers<ExecutionEnvironment>();
      waiting.push(turn);
      return turn.promise;
    }
    living += 1;
    try {
      const environment = await startEnvironment(options);
      started.push(environment);
      return environment;
    } catch (error) {
      living -= 1;
      throw error;
    }
  };

  const release = (environment: ExecutionEnvironment): void => {
    const turn = waiting.shift();
    if (turn) turn.resolve(environment);
    else idle.push(environment);
  };

  /** One that ended is replaced where somebody waits. */
  const drop = (): void => {
    living -= 1;
    const turn = waiting.shift();
    if (turn) take().then(turn.resolve, turn.reject);
  };

  return {
    invoke: async (event) => {
      let environment: ExecutionEnvironment;
      try {
        environment = await take();
      } catch (error) {
        const errorMessage = String(error);
        failures.push(errorMessage);
        return badGateway(() => ({ errorType: 'Runtime.InitError', errorMessage }));
      }
      const response = await environment.invoke(event);
      const over = environment.idle().then(() => release(environment), drop);
      running.add(over);
      over.finally(() => running.delete(over));
      return response;
    },
    environments: () => started.filter(({ process }) => process.exitCode === null),
    output: () => [...started.map(({ output }) => output()), ...failures].join('\n'),
    stop: async () => {
      await Promise.all(running);
      await Promise.all(started.map((environment) => environment.stop()));
    },
  };
}
