import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleUrl, readContract } from '../../../openapi/reading/contract.ts'
import { writtenOperations } from '../../../openapi/testing/written-operations.ts'
import { smallerByDefault } from '../../../server/verification/testing/nightly.ts'
import { operations, type ExampleRequest } from './answers.ts'
import { startPrism, type Prism } from '../../driver/prism.ts'

// `prism mock --dynamic` generates replies from the schemas and their `x-faker`.

const TOTAL = 1_000
const count = smallerByDefault('dynamic replies', 14, TOTAL)
// Prism takes a third of a second for each.
const RUN_MS_MAX = 1_200_000
const contract = readContract(bundleUrl)

let prism: Prism
beforeAll(async () => {
  prism = await startPrism(bundleUrl, ['--dynamic'])
})
afterAll(() => prism?.stop())

const requests: readonly (ExampleRequest & { readonly operationId: string })[] = operations.flatMap(
  ({ operationId, requests: [first] }) => (first ? [{ operationId, ...first }] : []),
)

async function made({ method, path, headers, body }: ExampleRequest): Promise<{ status: string; body: unknown }> {
  const reply = await fetch(prism.baseUrl + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: String(reply.status), body: await reply.json() }
}

/** Every number below a field whose name says that it is money. */
function amountsIn(value: unknown, name = ''): number[] {
  if (typeof value === 'number') return /amount|balance|total|charge/.test(name) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => amountsIn(each, key))
}

test(
  'generated replies keep the contract and have realistic amounts',
  async () => {
    const faults: string[] = []
    const amounts: number[] = []
    for (let index = 0; index < count; index += 1) {
      const request = requests[index % requests.length]!
      const { status, body } = await made(request)
      const response = contract.operations
        .find(({ id }) => id === request.operationId)
        ?.responses.find((each) => each.status === status)
      const fault = response?.schema ? contract.faultIn(response.schema, body) : `nothing is declared for ${status}`
      if (fault !== undefined) faults.push(`${request.operationId}: ${fault}: ${JSON.stringify(body)}`)
      amounts.push(...amountsIn(body))
    }
    expect(faults).toEqual([])
    expect(requests).toHaveLength(writtenOperations.length)
    expect(amounts.length).toBeGreaterThan(count)
    expect(amounts.filter((amount) => !Number.isInteger(amount) || amount > 50_000_000)).toEqual([])
    expect(new Set(amounts).size).toBeGreaterThan(count / 2)
  },
  RUN_MS_MAX,
)
