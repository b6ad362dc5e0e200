import { join } from 'node:path';
import { App, Tags } from 'aws-cdk-lib';
import { writeCatalog } from '../../catalog/write.ts';
import { createApiStack } from './api.ts';
import { buildFunctions, PROJECT_ROOT } from './build.ts';
import { createDataStack } from './data.ts';
import { readSettings } from './settings.ts';

const app = new App();
const settings = readSettings((name) => app.node.tryGetContext(name));

const bundlesFolder = join(PROJECT_ROOT, '.cache', 'bundles');
const layerFolder = join(PROJECT_ROOT, '.cache', 'catalog-layer');
await Promise.all([
  buildFunctions(bundlesFolder),
  writeCatalog(join(layerFolder, 'catalog', 'catalog.json')),
]);

const deployment = { app, settings, bundlesFolder, layerFolder };
const data = createDataStack(deployment);
createApiStack(deployment, data);
Tags.of(app).add('application', 'tollgate');
Tags.of(app).add('environment', settings.name);
