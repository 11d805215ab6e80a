import { sameJson, type Json } from '../reading/json.ts'

/** A change that a rule calls breaking, and somebody has found harmless. */
export interface ReviewedChange {
  /** The file of `openapi/` with the place inside it. */
  readonly where: string
  readonly from: Json
  readonly to: Json
  /** In the changelog of the docs. */
  readonly what?: string
}

/**
 * Nothing tells which of two patterns allows more, nor that a header is the same text on the wire whatever its type:
 * these somebody has read. The tests draw texts from each old pattern and hold them against the new one. After a release
 * an entry has done its work and may go.
 */
export const REVIEWED: readonly ReviewedChange[] = [
  // redirect_url: the scheme in any case, every registered name of RFC 3986 and beyond ASCII, IPv6, any number of
  // digits for a port.
  {
    where: 'openapi/components/schemas/RedirectUrl.yaml#/pattern',
    from: String.raw`^https?://(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?|\x5b::1\x5d)(?::[0-9]{1,5})?(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*)?(?:[?](?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?(?:[#](?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$`,
    to: String.raw`^[Hh][Tt][Tt][Pp][Ss]?://(?:(?:[A-Za-z0-9._~!$&'()*+,;=-]|[^\x00-\xa0]|%[0-9A-Fa-f]{2})+|\x5b[0-9A-Fa-f:.]{2,45}\x5d)(?::[0-9]*)?(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*)?(?:[?](?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?(?:[#](?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$`,
  },
  // x-api-version: the number 1 and the text `1` are the same header.
  {
    where: 'openapi/components/parameters/ApiVersion.yaml#/schema/type',
    from: 'number',
    to: 'string',
    what: 'is a text, written alike',
  },
  {
    where: 'openapi/components/parameters/ApiVersion.yaml#/schema/enum',
    from: [1],
    to: ['1'],
    what: 'is a text, written alike',
  },
]

/** Whether a value at a place, which changed, was reviewed. */
export const reviewOf = (where: string, from: Json | undefined, to: Json | undefined): ReviewedChange | undefined =>
  REVIEWED.find((each) => each.where === where && sameJson(each.from, from) && sameJson(each.to, to))
