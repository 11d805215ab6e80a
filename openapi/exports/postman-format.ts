/**
 * The part of Postman's Collection Format v2.1.0 that our collection uses, closed: a misspelt field would be silently
 * ignored by Postman. https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html
 */
const object = (required: Readonly<Record<string, object>>, optional: Readonly<Record<string, object>> = {}) => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(required),
  properties: { ...required, ...optional },
})
const list = (items: object) => ({ type: 'array', items })

const text = { type: 'string' }
const pair = object({ key: { type: 'string', minLength: 1 }, value: text }, { disabled: { const: true } })
const url = object(
  { raw: { type: 'string', pattern: '^\\{\\{baseUrl\\}\\}/' }, host: list(text), path: list(text) },
  { query: list(pair), variable: list(pair) },
)
const body = object(
  { mode: { const: 'raw' }, raw: text },
  { options: object({ raw: object({ language: { const: 'json' } }) }) },
)
const request = object({ method: { enum: ['GET', 'POST'] }, header: list(pair), url }, { body, description: text })
const response = object({
  name: text,
  originalRequest: request,
  status: text,
  code: { type: 'integer' },
  _postman_previewlanguage: { const: 'json' },
  header: list(pair),
  body: text,
})
const event = object({
  listen: { const: 'test' },
  script: object({ type: { const: 'text/javascript' }, exec: list(text) }),
})
const item = object({ name: text, request, response: list(response) }, { event: list(event) })
const folder = object({ name: text, item: { ...list(item), minItems: 1 } }, { description: text })

/** A JSON Schema of the collection. */
export const collectionFormat = object({
  info: object(
    { name: text, schema: { const: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' } },
    { description: text },
  ),
  item: list(folder),
  variable: list(pair),
})
