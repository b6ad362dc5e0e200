import { beforeEach, inject } from 'vitest';

const missing = inject('dynamoDbLocalMissing');

if (missing === '') process.env.TEST_DYNAMODB_ENDPOINT = inject('dynamoDbLocalEndpoint');
else beforeEach(({ skip }) => skip(missing));
