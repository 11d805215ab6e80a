import { expect, test } from 'vitest'
import { CONTRACT_OPERATIONS, pathOf } from '../../server/admin/api/testing/contract-operations.ts'
import { forFile } from '../../server/verification/testing/for-file.ts'
import { startPrism } from '../driver/prism.ts'

const prism = await forFile(startPrism(new URL('../../generated/admin.json', import.meta.url)))

test('the mock of the admin API serves each example of a success', async () => {
  const wrong: string[] = []
  for (const operation of CONTRACT_OPERATIONS)
    for (const { status, example, value } of operation.successes) {
      const reply = await fetch(prism.baseUrl + pathOf(operation), {
        method: operation.method,
        headers: {
          authorization: 'Bearer mock',
          'content-type': 'application/json',
          'idempotency-key': 'key-1',
          prefer: `code=${status}, example=${example}`,
        },
        ...(operation.body !== undefined && { body: JSON.stringify(operation.body) }),
      })
      const text = await reply.text()
      const shown = typeof value === 'string' ? value : JSON.stringify(value)
      if (text !== shown) wrong.push(`${operation.operationId} ${status} ${example}: ${text.slice(0, 300)}`)
    }
  expect(wrong).toEqual([])
})
