import { expect } from 'vitest'
import type { RawReply } from './requests.ts'

/** On every reply of the API: no cache stores it, and no browser guesses another type than the one it names. */
export const PROTECTION = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

/** An error in the envelope of the contract: this message and this status, no data, a request id and the protection. */
export function expectError(reply: RawReply, status: number, message: string): void {
  const reason = expect.stringMatching(/^[a-z_]+$/) as string
  expect(reply.body).toEqual({ code: status, status: 'error', message, reason, data: {} })
  expect(reply.status).toBe(status)
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(reply.headers.get('x-request-id')).toMatch(/^[\w-]{16}$/)
  expect(Object.fromEntries(reply.headers)).toMatchObject(PROTECTION)
}
