import type { Contract, Response } from '../../openapi/reading/contract.ts'
import { valueOf } from '../../openapi/reading/wire.ts'
import { fieldsOf } from '../harness/json.ts'
import type { Fault, Judge } from './observed-exchange.ts'
import type { Rule } from './rule.ts'

type Header = Response['headers'][number]

/** A reply has each header that the contract requires of it, with a value that fits its schema: `no-store`, `nosniff`. */
function declaredHeaderJudge(contract: Contract): Judge {
  const ofEnvelopes = requiredEverywhere(contract)
  return ({ direction, operation, response, exchange: { request, reply }, replyBody }) => {
    if (direction === 'received') return []
    const { code, data } = fieldsOf(replyBody)
    // A wrong path or method belongs to no operation; its reply is the envelope of all refusals.
    const isEnvelope = operation === undefined && code === reply.status && data !== undefined
    const declared = response?.headers ?? (isEnvelope ? ofEnvelopes : [])
    return declared.flatMap(({ name, required, schema }): readonly Fault[] => {
      const values = reply.headers[name.toLowerCase()]
      const text = values?.join(', ')
      const wanted = (): string => JSON.stringify(contract.flat(schema).enum ?? contract.flat(schema).pattern ?? schema)
      const fault = (what: string): readonly Fault[] => [
        { rule: `declared header ${name}`, what: `a reply ${reply.status} to ${request.method} ${what}` },
      ]
      if (text === undefined)
        return required ? fault(`has no header ${name}, which the contract requires (${wanted()})`) : []
      const isRight = contract.faultIn(schema, valueOf(contract.flat(schema).type, text)) === undefined
      return isRight ? [] : fault(`has ${name}: ${text.slice(0, 100)}; the contract allows ${wanted()}`)
    })
  }
}

/** Headers that every refusal of every operation requires. */
function requiredEverywhere({ operations }: Contract): readonly Header[] {
  const refusals = operations
    .filter(({ kind }) => kind === 'operation')
    .flatMap(({ responses }) => responses.filter(({ status }) => /^[45]/.test(status)))
  return (refusals[0]?.headers ?? []).filter((header) =>
    refusals.every(({ headers }) => headers.some(({ name, required }) => required && name === header.name)),
  )
}

export const declaredHeadersRule: Rule = {
  name: 'declared headers',
  reason: 'A reply has the headers that the contract requires of it: no cache keeps names, accounts and amounts.',
  plantedFault: 'replies-cached',
  judging: ({ contract }) => ({ each: declaredHeaderJudge(contract) }),
}
