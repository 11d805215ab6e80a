import { ofParameter, ofRequestBody } from './component-operators.ts'
import { change, type Change, fieldsOf, get, GONE, type Json, listOf, type Path, renamed } from './edit.ts'

export function* ofOperation(contract: Json, at: Path, isOurs: boolean): Generator<Change> {
  const { parameters, responses, security, requestBody, callbacks, ...fields } = fieldsOf(get(contract, at))
  const operationId = String(fields.operationId)
  yield change('change an operationId', [...at, 'operationId'], `${operationId} → ${operationId}V2`, `${operationId}V2`)
  yield change(
    'change a method',
    at.slice(0, -1),
    `${at.at(-1)} → put`,
    renamed(get(contract, at.slice(0, -1)), String(at.at(-1)), 'put'),
  )
  for (const [index, parameter] of listOf(parameters).entries()) {
    yield change(
      'drop a parameter',
      [...at, 'parameters', index],
      String(fieldsOf(parameter).$ref ?? fieldsOf(parameter).name),
      GONE,
    )
    if (!('$ref' in fieldsOf(parameter))) yield* ofParameter(contract, [...at, 'parameters', index])
  }
  if (requestBody !== undefined) {
    yield change('drop a request body', [...at, 'requestBody'], 'no body', GONE)
    yield* ofRequestBody(contract, [...at, 'requestBody'])
  }
  const statuses = Object.keys(fieldsOf(responses))
  for (const [index, status] of statuses.entries()) {
    yield change('remove a status', [...at, 'responses', status], status, GONE)
    const other = statuses[(index + 1) % statuses.length] ?? status
    // Answers of merchants have no body and no header: they are all alike.
    if (isOurs)
      yield change(
        "change a status's response",
        [...at, 'responses', status],
        `${status} as ${other}`,
        fieldsOf(responses)[other],
      )
  }
  if (isOurs) {
    yield change('add a status', [...at, 'responses', '402'], '402 as 401', fieldsOf(responses)['401'])
    yield* ofSecurity(at, listOf(security))
  }
  for (const name of Object.keys(fieldsOf(callbacks))) {
    yield change('remove a callback', [...at, 'callbacks', name], name, GONE)
    yield* ofCallback(contract, [...at, 'callbacks', name])
  }
}

function* ofCallback(contract: Json, at: Path): Generator<Change> {
  for (const [expression, item] of Object.entries(fieldsOf(get(contract, at)))) {
    yield change(
      'change a callback expression',
      at,
      `${expression} → customer_email`,
      renamed(get(contract, at), expression, '{$request.body#/customer_email}'),
    )
    for (const method of Object.keys(fieldsOf(item))) yield* ofOperation(contract, [...at, expression, method], false)
  }
}

function* ofSecurity(at: Path, security: readonly Json[]): Generator<Change> {
  for (const [index, requirement] of security.entries()) {
    for (const scheme of Object.keys(fieldsOf(requirement)))
      yield change('drop a security requirement', [...at, 'security', index, scheme], scheme, GONE)
    if (!('secretKey' in fieldsOf(requirement)))
      yield change('add a security requirement', [...at, 'security', index, 'secretKey'], 'secretKey', [])
  }
}
