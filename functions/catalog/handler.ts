import { documentHandler } from '../../shared/http/document-handler.ts';
import { catalogDocumentOptions, readCatalogText } from '../../shared/settings/catalog.ts';

/** `GET /v1/catalog` */
export const handler = documentHandler({
  ...catalogDocumentOptions(process.env),
  path: '/v1/catalog',
  render: () => readCatalogText(process.env),
});
