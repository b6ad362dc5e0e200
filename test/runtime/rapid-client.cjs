/*
 * Stands in for the native part of aws-lambda-ric (`rapid-client.node`), whose install script is
 * not run. It is what buffered handlers answer through; streamed ones, and `/next` under
 * AWS_LAMBDA_NODEJS_USE_ALTERNATIVE_CLIENT_1, never touch it. Loaded by `node --require`.
 */
const http = require('node:http');
const Module = require('node:module');

const load = Module._load;
Module._load = (name, ...rest) =>
  name === './rapid-client.node' ? nativeClient : load(name, ...rest);

const nativeClient = {
  done: (requestId, body) => post(`${requestId}/response`, body),
  error: (requestId, body, xray) =>
    post(`${requestId}/error`, body, {
      'Lambda-Runtime-Function-Error-Type': JSON.parse(body).errorType,
      'Lambda-Runtime-Function-XRay-Error-Cause': xray,
    }),
};

function post(path, body, headers = {}) {
  const url = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation/${path}`;
  const request = http.request(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      ...headers,
    },
  });
  request.end(body);
}
