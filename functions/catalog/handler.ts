import { documentHandler } from '../../shared/http/document-handler.ts';
import { catalogDocumentOptions, readCatalog } from '../../shared/settings/catalog.ts';

/** `GET /v1/catalog` */
export const handler = documentHandler({
  ...catalogDocumentOptions,
  path: '/v1/catalog',
  render: () => readCatalog(process.env).json,
});
