import { writeCatalog } from '../../catalog/write.ts';

/** Run while the image is built: the compiled catalog goes where `CATALOG_PATH` says. */
const path = process.env.CATALOG_PATH;
if (!path) throw new Error('CATALOG_PATH is missing.');
await writeCatalog(path);
