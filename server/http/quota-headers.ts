/** What is left of a rate limit, for the client. */
export type QuotaHeaders = Readonly<Record<'ratelimit-policy' | 'ratelimit', string>>

interface Policy {
  /** Letters and hyphens; clients tell the buckets apart by it. */
  readonly name: string
  readonly points: number
  readonly windowSeconds: number
}

/** As the limiter counts: points below zero are requests that were refused. */
interface RemainingQuota {
  readonly remainingPoints: number
  readonly msBeforeNext: number
}

/**
 * Both fields of the draft: how many requests (`q`) in how many seconds (`w`), and how many of them remain (`r`) until
 * the window ends (`t`, seconds).
 * https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10
 */
export function quotaHeaders({ name, points, windowSeconds }: Policy): (left: RemainingQuota) => QuotaHeaders {
  const policy = `"${name}";q=${points};w=${windowSeconds}`
  return ({ remainingPoints, msBeforeNext }) => ({
    'ratelimit-policy': policy,
    ratelimit: `"${name}";r=${Math.max(remainingPoints, 0)};t=${Math.max(Math.ceil(msBeforeNext / 1000), 1)}`,
  })
}
