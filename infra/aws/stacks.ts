import type { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import { createApiStack } from './api.ts';
import { createDataStack } from './data.ts';
import { createEdgeStack } from './edge.ts';
import { createFinanceStack } from './finance.ts';
import { chosenFirewall } from './firewall.ts';
import type { Deployment } from './function.ts';
import { createLargeBodiesStack } from './large-bodies.ts';
import { createOperationsStack } from './operations.ts';

/** Every stack of one environment. `image` is the container's, where the settings ask for it. */
export function createStacks(deployment: Deployment, image: ContainerImage): void {
  const data = createDataStack(deployment);
  const api = createApiStack(deployment, data);
  const finance = createFinanceStack(deployment, data);
  createOperationsStack(deployment, { data, api, finance });
  createEdgeStack(deployment, {
    data,
    api,
    ...(deployment.settings.largeBodies && {
      largeBodies: createLargeBodiesStack(deployment, data, image),
    }),
    ...chosenFirewall(deployment),
  });
}
