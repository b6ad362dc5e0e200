import { listModels } from '../../shared/catalog/public.ts';
import { documentHandler } from '../../shared/http/document-handler.ts';
import { catalogDocumentOptions, readCatalog } from '../../shared/settings/catalog.ts';

/** `GET /v1/models` */
export const handler = documentHandler({
  ...catalogDocumentOptions(process.env),
  path: '/v1/models',
  render: (today) => JSON.stringify(listModels(readCatalog(process.env), today)),
});
