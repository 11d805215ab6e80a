import type { Contract, Operation } from '../../../openapi/reading/contract.ts'

/** Values of a thing that exists, by the name that parameters and body fields have for them. */
export type KnownValues = Readonly<Record<string, string>>

/** The operation whose replies lead to another one: what it makes, the other asks about. */
export const makerOf = (contract: Contract, operation: Operation): Operation | undefined =>
  contract.operations.find(({ responses }) =>
    responses.some(({ links }) => links.some(({ link }) => link.operationId === operation.id)),
  )

/** Texts of a reply's `data`. */
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
