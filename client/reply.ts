/** Metadata of a success. */
export interface Reply {
  readonly status: number
  /** `X-Request-Id`: quote it in support requests about the call. */
  readonly requestId: string | undefined
  /**
   * Whether it is the reply to an earlier request with the same idempotency key: this request has started nothing new.
   */
  readonly isReplay: boolean
}

/** Reads the headers of a success. */
export const replyFrom = ({ status, headers }: Response): Reply => ({
  status,
  requestId: headers.get('x-request-id') ?? undefined,
  isReplay: headers.get('idempotency-replayed') === 'true',
})
