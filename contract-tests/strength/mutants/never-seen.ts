import { follow } from './contract.ts'
import { isKnownUnseen } from './unseen.ts'
import type { Wire } from './held-wire.ts'

/** What a header shows in one reply need not be shown in every other. */
export const generalised = (sighting: string, operationId: string, status: string): string =>
  sighting.replace(`${operationId} ${status} header`, 'header')

/** What is declared and was never seen. */
export function* neverSeen(wire: Wire): Generator<string> {
  const { contract, declared, seen, expected } = wire
  const missing = new Set<string>()
  const expect = (sighting: string): void => void (seen.has(sighting) || missing.add(sighting))
  for (const { operationId, answeredBy, parameters, body, responses } of declared) {
    expect(operationId)
    for (const parameter of parameters) {
      const where = `${operationId} ${parameter.in} ${parameter.name}`
      expect(`${where} present`)
      if (!parameter.required) expect(`${where} absent`)
    }
    if (body && !body.required) expect(`${operationId} body absent`)
    for (const [status, response] of Object.entries(responses)) {
      expect(`${operationId} ${status}`)
      if (answeredBy === 'merchant') continue
      for (const mediaType of Object.keys(response.content ?? {})) expect(`${operationId} ${status} ${mediaType}`)
      for (const [name, header] of Object.entries(response.headers ?? {}))
        if (!follow(contract.components.headers, header).required) expect(`header ${name.toLowerCase()} absent`)
      for (const name of Object.keys(response.links ?? {})) expect(`${operationId} ${status} link ${name}`)
    }
  }
  for (const [where, shape] of expected) {
    // Of a reply: its status is a number.
    const [, operationId, status] = /^(\S+) ([0-9]\S*) header /.exec(where) ?? []
    for (const sighting of shape.expected)
      expect(operationId !== undefined && status !== undefined ? generalised(sighting, operationId, status) : sighting)
  }
  for (const sighting of missing) if (!isKnownUnseen(sighting)) yield `never seen: ${sighting}`
}
