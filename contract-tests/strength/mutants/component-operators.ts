import { isObject } from '../../../openapi/reading/json.ts'
import { change, type Change, fieldsOf, get, GONE, type Json, type Path, renamed } from './edit.ts'
import { ofSchema } from './schema-operators.ts'

export function* ofParameter(contract: Json, at: Path): Generator<Change> {
  const { required, example, ...fields } = fieldsOf(get(contract, at))
  const name = String(fields.name)
  yield change('make a parameter optional or required', [...at, 'required'], `${name}: ${!required}`, !required)
  yield change('change the name of a parameter', [...at, 'name'], `${name} → ${name}_x`, `${name}_x`)
  if (example !== undefined) yield change('drop an example', [...at, 'example'], `of ${name}`, GONE)
  yield* ofSchema(contract, [...at, 'schema'])
}

export function* ofHeader(contract: Json, at: Path): Generator<Change> {
  const { required } = fieldsOf(get(contract, at))
  yield change('make a header optional or required', [...at, 'required'], String(!required), !required)
  yield* ofSchema(contract, [...at, 'schema'])
}

export function* ofResponse(contract: Json, at: Path): Generator<Change> {
  const { headers, links } = fieldsOf(get(contract, at))
  for (const name of Object.keys(fieldsOf(headers)))
    yield change('remove a header', [...at, 'headers', name], name, GONE)
  for (const name of Object.keys(fieldsOf(links))) yield change('remove a link', [...at, 'links', name], name, GONE)
  yield* ofContent(contract, at)
}

export function* ofRequestBody(contract: Json, at: Path): Generator<Change> {
  yield change('make a request body optional', [...at, 'required'], 'false', false)
  yield* ofContent(contract, at)
}

function* ofContent(contract: Json, at: Path): Generator<Change> {
  const content = fieldsOf(get(contract, [...at, 'content']))
  for (const [type, media] of Object.entries(content)) {
    yield change('remove a media type', [...at, 'content', type], type, GONE)
    yield change('change a media type', [...at, 'content'], `${type} → text/json`, renamed(content, type, 'text/json'))
    yield change('change the schema of a body', [...at, 'content', type, 'schema'], 'EmptyData', {
      $ref: '#/components/schemas/EmptyData',
    })
    for (const name of Object.keys(fieldsOf(fieldsOf(media).examples)))
      yield change('drop an example', [...at, 'content', type, 'examples', name], name, GONE)
  }
}

export function* ofLink(contract: Json, at: Path): Generator<Change> {
  const { operationId, parameters, requestBody } = fieldsOf(get(contract, at))
  yield change(
    "change a link's operationId",
    [...at, 'operationId'],
    `${String(operationId)} → listPaymentProviders`,
    'listPaymentProviders',
  )
  for (const [part, values] of [
    ['parameters', parameters],
    ['requestBody', requestBody],
  ] as const) {
    for (const [name, value] of Object.entries(fieldsOf(values)))
      if (typeof value === 'string')
        yield change('change what a link hands over', [...at, part, name], `${value} → …_id`, `${value}_id`)
  }
}

export function* ofExample(contract: Json, at: Path): Generator<Change> {
  const value = get(contract, [...at, 'value'])
  const { code, message, data, event } = fieldsOf(value)
  if (typeof code === 'number')
    yield change('change an example', [...at, 'value', 'code'], `code ${code} → ${code + 1}`, code + 1)
  if (typeof message === 'string')
    yield change(
      'change an example',
      [...at, 'value', 'message'],
      `${message} → as an order`,
      `Please note: ${message}`,
    )
  if (isObject(data) && Object.keys(data).length > 0)
    yield change('change an example', [...at, 'value', 'data', 'note'], 'an undeclared property', 'x')
  if (typeof event === 'string')
    yield change(
      'change an example',
      [...at, 'value', 'event'],
      event,
      event === 'transaction.failed' ? 'transaction.completed' : 'transaction.failed',
    )
  if (code === undefined && isObject(value))
    for (const name of Object.keys(value).slice(0, 2))
      yield change('change an example', [...at, 'value', name], `${name} left out`, GONE)
}
