import { isKnownUnobservable } from './unobservable.ts'
import type { CheckedContract } from './checked-contract.ts'

/** A header in one reply need not occur in every other. */
export const generalised = (sighting: string, operationId: string, status: string): string =>
  sighting.replace(`${operationId} ${status} header`, 'header')

/** Declared things that never occurred. */
export function* neverObserved(wire: CheckedContract): Generator<string> {
  const { declared, seen, expected } = wire
  const missing = new Set<string>()
  const expect = (sighting: string): void => void (seen.has(sighting) || missing.add(sighting))
  for (const { id, kind, parameters, request, responses } of declared) {
    expect(id)
    for (const parameter of parameters) {
      const where = `${id} ${parameter.in} ${parameter.name}`
      expect(`${where} present`)
      if (!parameter.required) expect(`${where} absent`)
    }
    if (request && !request.required) expect(`${id} body absent`)
    for (const { status, content, headers, links } of responses) {
      expect(`${id} ${status}`)
      if (kind !== 'operation') continue
      for (const { type } of content) expect(`${id} ${status} ${type}`)
      for (const { name, required } of headers) if (!required) expect(`header ${name.toLowerCase()} absent`)
      for (const { name } of links) expect(`${id} ${status} link ${name}`)
    }
  }
  for (const [where, shape] of expected) {
    // Part of a reply: its status is a number.
    const [, operationId, status] = /^(\S+) ([0-9]\S*) header /.exec(where) ?? []
    for (const sighting of shape.expected)
      expect(operationId !== undefined && status !== undefined ? generalised(sighting, operationId, status) : sighting)
  }
  for (const sighting of missing) if (!isKnownUnobservable(sighting)) yield `never seen: ${sighting}`
}
