/** What came with the data of a success. */
export interface Reply {
  readonly status: number
  /** `X-Request-Id`: quote it when you ask about the call. */
  readonly requestId: string | undefined
  /** Whether it is the reply to an earlier request with the same idempotency key: this one has started nothing new. */
  readonly isReplay: boolean
}

/** What the headers of a success tell. */
export const replyFrom = ({ status, headers }: Response): Reply => ({
  status,
  requestId: headers.get('x-request-id') ?? undefined,
  isReplay: headers.get('idempotency-replayed') === 'true',
})
