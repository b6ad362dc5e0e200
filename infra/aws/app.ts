import { join } from 'node:path';
import { App, Tags } from 'aws-cdk-lib';
import { writeCatalog } from '../../catalog/write.ts';
import { createApiStack } from './api.ts';
import { PROJECT_ROOT } from './bundle.ts';
import { createDataStack } from './data.ts';
import { readSettings } from './settings.ts';

const app = new App();
const settings = readSettings(app.node.tryGetContext('env'), app.node.tryGetContext('azureUrl'));

const layerFolder = join(PROJECT_ROOT, '.cache', 'catalog-layer');
await writeCatalog(join(layerFolder, 'catalog', 'catalog.json'));

const data = createDataStack(app, settings);
createApiStack(app, { settings, data, layerFolder });
Tags.of(app).add('application', 'tollgate');
Tags.of(app).add('environment', settings.name);
