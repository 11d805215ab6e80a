import type { Contract, Schema } from '../../../../openapi/reading/contract.ts'
import { changed } from '../../../../openapi/reading/changed.ts'
import { isFields, valueAt } from '../../../harness/json.ts'
import { branchOf } from '../../declared/deviations.ts'
import { wrongInBody } from '../../declared/values.ts'
import { edgesOf } from '../edges.ts'
import { sampleOf } from '../samples.ts'
import type { ExpectedReply } from './foreign-case.ts'
import { ODD_TEXT } from './odd-text.ts'

/** One change of a body. */
interface BodyChange {
  readonly rule: string
  readonly expect: ExpectedReply
  readonly change: (body: unknown) => unknown
}

const UNKNOWN_FIELD = 'surprise_of_the_contract_tests'

/** Every change of a JSON body that its schema has a rule about. @param shape a body: only its fields are changed */
export function bodyChanges(contract: Contract, declared: Schema, shape: unknown): BodyChange[] {
  const schema = branchOf(contract, declared, shape)
  const tag: string | undefined = contract.flat(declared).discriminator?.propertyName
  const isAccepted = (body: unknown): ExpectedReply =>
    contract.faultIn(declared, body) === undefined ? 'accepted' : 'refused'

  const changesWithin = (object: Schema, path: readonly string[]): BodyChange[] => [
    ...Object.entries(object.properties ?? {}).flatMap(([name, property]) => {
      const field = [...path, name]
      const called = `body field ${field.join('.')}`
      const flat = contract.flat(property)
      const to = (rule: string, value: unknown, expect?: ExpectedReply): BodyChange => ({
        rule,
        // Other parts of the schema (a union, a condition) apply to the whole body.
        expect: expect ?? isAccepted(changed(shape, field, value)),
        change: (body) => changed(body, field, value),
      })
      const sample = sampleOf(contract, property)
      const isRequired = object.required?.includes(name) === true
      const values = name === tag ? [] : (flat.enum ?? (flat.type === 'boolean' ? [true, false] : []))
      const inner = valueAt(shape, field)
      return [
        to(isRequired ? `a request without ${called}` : `a request that leaves out ${called}`, undefined),
        ...(isRequired || sample === undefined ? [] : [to(`a request with ${called}`, sample)]),
        ...wrongInBody(contract, property, false).map((wrong) =>
          to(`a request with an invalid ${called}`, wrong, isAccepted(changed(shape, field, wrong))),
        ),
        ...values.map((value) => to(`a request with ${called} ${String(value)}`, value)),
        ...edgesOf(contract, property).map(({ what, value }) => {
          const expect = isAccepted(changed(shape, field, value))
          return to(`a request with ${expect === 'refused' ? 'an invalid ' : ''}${called}: ${what}`, value, expect)
        }),
        ...(flat.type === 'string' ? [to(`a request with odd characters in ${called}`, ODD_TEXT, 'either')] : []),
        ...(flat.properties && isFields(inner) ? changesWithin(flat, field) : []),
      ]
    }),
    ...(object.additionalProperties === false
      ? [
          {
            rule: `a request with an unknown field${path.length > 0 ? ` in body field ${path.join('.')}` : ''}`,
            expect: 'refused' as const,
            change: (body: unknown) => changed(body, [...path, UNKNOWN_FIELD], 7),
          },
        ]
      : []),
  ]
  const otherType = [[], 'text', 7].find((value) => contract.faultIn(declared, value) !== undefined)
  return [
    ...(isFields(shape) ? changesWithin(schema, []) : []),
    ...(otherType === undefined
      ? []
      : [{ rule: 'a request with a body of another type', expect: 'refused' as const, change: () => otherType }]),
  ]
}
