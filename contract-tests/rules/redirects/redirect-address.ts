import type { Contract } from '../../../openapi/reading/contract.ts'
import { faultIf, type Fault } from '../observed-exchange.ts'

const PIECES = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is

/** A URL in its four parts, as written. */
function written(url: string) {
  const [, authority, path = '', query = '', fragment = ''] = PIECES.exec(url) ?? []
  return authority === undefined ? undefined : { authority, path, query, fragment }
}

/** Query parameters that a redirect adds, by the contract. */
export const redirectNames = ({ operations }: Contract): readonly string[] =>
  operations
    .find(({ kind }) => kind === 'redirect')
    ?.parameters.filter((parameter) => parameter.in === 'query')
    .map(({ name }) => name) ?? []

/**
 * Compares the redirect's address with the `redirect_url` of the collection, character by character: parsing and
 * serializing it would change what a shop compares. Its query is kept and the outcome comes after it (page "The
 * redirect"); only an internationalized host is written in ASCII.
 * @param names of the query that the contract declares
 */
export function redirectFaults(redirectUrl: string, location: string, names: readonly string[]): readonly Fault[] {
  const [wanted, came] = [written(redirectUrl), written(location)]
  if (!wanted || !came)
    return faultIf(true, 'redirect address', 'a redirect leads to an invalid address', 'customerRedirect')
  const [own, rest] = [wanted.query, came.query]
  const isKept = rest.startsWith(own) && (own === '' || /^&|^$/.test(rest.slice(own.length)) || own.endsWith('&'))
  const added = isKept
    ? rest
        .slice(own.length)
        .split('&')
        .filter((part) => part !== '')
    : []
  const unread = added.find((part) => !/^[^=]+=(?:[A-Za-z0-9._~!$'()*,;:@/?-]|%[0-9A-Fa-f]{2})*$/.test(part))
  const given = added.map((part) => part.split('=', 1)[0] ?? '')
  const strange = given.find((name, index) => !names.includes(name) || given.indexOf(name) !== index)
  const faults = [
    ...faultIf(
      !isSameAuthority(wanted.authority, came.authority),
      'redirect host',
      'a redirect leads to another host than the redirect_url',
    ),
    ...faultIf(
      wanted.path !== came.path && !(wanted.path === '' && came.path === '/'),
      'redirect path',
      'a redirect leads to another path than the redirect_url, letter for letter',
    ),
    ...faultIf(
      !isKept,
      'redirect query',
      'a redirect does not keep the query of the redirect_url as it is written, with the outcome after it',
    ),
    ...faultIf(
      unread !== undefined,
      'redirect encoding',
      'a redirect has characters in its query that two programs read differently',
    ),
    ...faultIf(
      strange !== undefined,
      `redirect parameter ${strange}`,
      `a redirect brings a query parameter ${strange} that the contract does not declare, or brings it twice`,
    ),
    ...faultIf(
      wanted.fragment !== came.fragment,
      'redirect fragment',
      'a redirect has another fragment than the redirect_url',
    ),
  ]
  return faults.map((fault) => ({ ...fault, about: 'customerRedirect' }))
}

/** The same text, or an internationalized host in ASCII. */
function isSameAuthority(wanted: string, came: string): boolean {
  if (wanted === came) return true
  return /[^\x00-\x7f]/.test(wanted) && URL.canParse(wanted) && new URL(wanted).origin === came
}
