import { join } from 'node:path';
import { App, Tags } from 'aws-cdk-lib';
import { writeCatalog } from '../../catalog/write.ts';
import { buildFunctions, PROJECT_ROOT } from './build.ts';
import { containerImage } from './large-bodies.ts';
import { readSettings } from './settings.ts';
import { createStacks } from './stacks.ts';

const app = new App();
const settings = readSettings((name) => app.node.tryGetContext(name));

const bundlesFolder = join(PROJECT_ROOT, '.cache', 'bundles');
const layerFolder = join(PROJECT_ROOT, '.cache', 'catalog-layer');
await Promise.all([
  buildFunctions(bundlesFolder),
  writeCatalog(join(layerFolder, 'catalog', 'catalog.json')),
]);

createStacks({ app, settings, bundlesFolder, layerFolder }, containerImage());
Tags.of(app).add('application', 'tollgate');
Tags.of(app).add('environment', settings.name);
