import type { Contract, Operation } from '../../../openapi/reading/contract.ts'

/** Values of an existing resource, by the names of parameters and body fields. */
export type KnownValues = Readonly<Record<string, string>>

/** The operation whose replies link to another one: it creates what the other one reads. */
export const makerOf = (contract: Contract, operation: Operation): Operation | undefined =>
  contract.operations.find(({ responses }) =>
    responses.some(({ links }) => links.some(({ link }) => link.operationId === operation.id)),
  )

/** Texts in a reply's `data`. */
export function knownFrom(body: Buffer | undefined): KnownValues {
  try {
    const { data = {} } = JSON.parse(body?.toString('utf8') ?? '{}') as { readonly data?: object }
    return Object.fromEntries(
      Object.entries(data).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return {}
  }
}
