import { readContract, type Contract } from '../../../openapi/reading/contract.ts'
import { isObject } from '../../../openapi/reading/json.ts'
import { beginPart, type Finding } from '../../harness/part.ts'
import {
  canonical,
  PHASES,
  runSchemathesis,
  type OpenApiDocument,
  type Failure,
  type Prepare,
  type Result,
} from '../../schemathesis-runner-wrapper/index.ts'
import { contradictsItself, figuresOf, ofChosen, phasesOf, runOptions, toFinding } from './part.ts'
import { schemesOf, variableOf } from '../../driver/credentials.ts'
import type { ContractPart, ContractTarget } from '../../driver/contract-target.ts'
import { createTraffic } from '../../driver/traffic.ts'

/** This check requires 405, which RFC 9110 does not; `declared` tests what RFC 9110 does require. */
const LEFT_TO_DECLARED = 'unsupported_method'

/** Checks that require 401 or 403 for a request without valid credentials, whatever the contract declares. */
const OF_CREDENTIALS: ReadonlySet<string> = new Set(['ignored_auth', 'missing_required_header'])

/**
 * Whether credentials were refused with another status that the contract declares: RFC 9110 would have 401, but this
 * is what callers are promised. `declared` calls each operation without credentials, and requires one of its refusals.
 */
function isDeclaredRefusal({ operations }: Contract, { operation, check, message }: Failure): boolean {
  const [, got = ''] = /\bgot `?(4\d\d)\b/i.exec(message) ?? []
  if (!OF_CREDENTIALS.has(check) || (check === 'missing_required_header' && !/'authorization'/i.test(message)))
    return false
  const requested = operations.find(({ method, path }) => `${method} ${path}` === operation)
  return requested?.responses.some(({ status }) => status === got) === true
}

/** Schemathesis on the contract as it is, but with the values file in place of its examples. */
export const schemathesisOfAnyContract: ContractPart = {
  name: 'schemathesis',
  what: 'fuzzing every operation from its schemas',
  byOperation: true,
  async run(target, options) {
    const { seed, operations } = options
    const { done, skipped } = beginPart('schemathesis', seed)
    const contract = readContract(target.contract)
    const used = schemesOf(contract).filter(({ name }) => target.credentials[name])
    const ran = await runSchemathesis({
      ...runOptions(target, options),
      keys: Object.fromEntries(used.map(({ name }) => [name, target.credentials[name]?.value ?? ''])),
      profile: canonical({
        prepare: withValues(target, contract),
        expectedStatuses: expectedStatuses(contract),
        ...(target.values.refusals.length > 0 && {
          isBusinessRefusal: (reply) => target.values.refusals.some((text) => reply.includes(text)),
        }),
      }),
      phases: phasesOf(PHASES, operations),
    })
    const result = operations ? ofChosen(ran) : ran
    const { status, reason } = result
    const judged = result.failures.filter(
      (failure) => failure.check !== LEFT_TO_DECLARED && !contradictsItself(failure),
    )
    const kept = judged.filter((failure) => !isDeclaredRefusal(contract, failure))
    const figures = figuresOf(result)
    if (status === 'unavailable') return skipped(reason ?? 'Schemathesis is not there', { ...figures, findings: [] })
    const variables = Object.fromEntries(schemesOf(contract).map(({ name }) => [name, variableOf(name)]))
    const findings: Finding[] = [
      ...kept.map((failure) => toFinding(failure, variables)),
      ...(reason === undefined
        ? []
        : [{ about: 'schemathesis', what: `it came to no verdict (${status}): ${reason}` }]),
    ]
    return done({ ...figures, findings, reason: remarks(result, judged.length - kept.length) })
  },
}

/** Warnings for the reader that no server can fix. */
function remarks({ warnings, exclusions }: Result, otherRefusals: number): string | undefined {
  const never = exclusions.checks.length > 0 ? [`never came to be checked: ${exclusions.checks.join(', ')}`] : []
  const others =
    otherRefusals > 0
      ? [
          `ignored_auth and missing_required_header want 401 or 403 for wrong credentials, and the contract declares others: ${otherRefusals} reports left to declared`,
        ]
      : []
  const all = [...warnings, ...never, ...others]
  return all.length === 0 ? undefined : all.join('; ')
}

/**
 * A refusal may have any 4xx status, and a failure those that the contract names: the check of statuses finds
 * undeclared ones.
 */
function expectedStatuses({ operations }: Contract): Readonly<Record<string, readonly string[]>> {
  const failures = new Set(operations.flatMap(({ responses }) => responses.map(({ status }) => status)))
  const declared = [...failures].filter((status) => status.startsWith('5')).map((status) => status.toLowerCase())
  return {
    not_a_server_error: ['2xx', '3xx', '4xx', ...declared],
    negative_data_rejection: ['4xx', '5xx'],
    missing_required_header: ['4xx', ...declared],
  }
}

/** Every operation with values has them as its examples. */
const withValues =
  (target: ContractTarget, contract: Contract): Prepare =>
  async (copy) => {
    let counter = Date.now()
    const traffic = createTraffic(target, contract, () => counter++)
    for (const operation of contract.operations) {
      const values = target.values.operations[operation.id]
      if (operation.kind !== 'operation' || !values) continue
      const [first] = await traffic.drafts(operation)
      const piece = operationIn(copy, operation.path, operation.method)
      if (!first || !piece) continue
      // With references resolved: one operation's values must not enter a schema that several operations share.
      const parameters = operation.parameters.map(({ examples: _others, ...parameter }) => {
        const text = first.draft.parameters[`${parameter.in} ${parameter.name}`]
        return {
          ...structuredClone(parameter),
          ...(text !== undefined && { example: typed(contract, parameter, text) }),
        }
      })
      Object.assign(piece, { parameters })
      const { body, mediaType } = first.draft
      if (values.body === undefined || mediaType === undefined || !operation.request) continue
      const media = operation.request.content.map(({ type, schema }): [string, object] => [
        type,
        { schema, ...(type === mediaType && { examples: { values: { value: body } } }) },
      ])
      Object.assign(piece, {
        requestBody: structuredClone({ required: operation.request.required, content: Object.fromEntries(media) }),
      })
    }
    return typesApart(copy)
  }

const TYPES = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object']

/** Rewrites a list of types as equivalent schemas of one type each: 4.32 fails on such a list in a union. */
const typesApart = (copy: OpenApiDocument): OpenApiDocument =>
  JSON.parse(JSON.stringify(copy), (_key, value: unknown) => {
    if (!isObject(value) || !Array.isArray(value['type'])) return value
    const { type, ...rest } = value
    const types: readonly unknown[] = value['type']
    if (type === undefined || !types.every((each) => typeof each === 'string' && TYPES.includes(each))) return value
    return { anyOf: types.map((each) => ({ ...rest, type: each })) }
  }) as OpenApiDocument

const operationIn = (copy: OpenApiDocument, path: string, method: string) =>
  Object.entries(copy.paths?.[path] ?? {}).find(([name]) => name.toUpperCase() === method)?.[1]

/** A text converted to the schema's type. */
function typed(contract: Contract, { schema }: { readonly schema: Parameters<Contract['flat']>[0] }, text: string) {
  return [Number(text), text === 'true', text].find((value) => contract.faultIn(schema, value) === undefined) ?? text
}
