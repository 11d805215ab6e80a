/**
 * A record as the contract has it: ids as text, times in UTC, no field without a value. The contract says which fields
 * there are; tests check every reply against it.
 */
// The caller knows the shape, and no argument tells it.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export const wire = <Shape>(record: object): Shape => JSON.parse(JSON.stringify(record, plain)) as Shape

const plain = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : (value ?? undefined)
