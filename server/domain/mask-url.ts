/**
 * A URL that may be stored and shown. Merchants put tokens into the query and a password before the host: both become
 * asterisks, while the names of the query parameters stay. Works on the text, so that the result matches what was
 * configured.
 */
export function maskUrl(url: string): string {
  const [, base = '', query, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(url) ?? []
  const shown = base.replace(/^([^/]*\/\/)[^/]*@/, '$1***@')
  return `${shown}${query === undefined ? '' : `?${query.split('&').map(maskParameter).join('&')}`}${fragment ? '#***' : ''}`
}

function maskParameter(parameter: string): string {
  const end = parameter.indexOf('=')
  if (end < 0) return parameter === '' ? '' : '***'
  return parameter.length === end + 1 ? parameter : `${parameter.slice(0, end)}=***`
}
