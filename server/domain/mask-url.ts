/**
 * A URL as it may be kept and shown. Merchants put tokens into the query and a password before the host: those become
 * asterisks, the names of the query's parameters stay. Works on the text, so that what is shown is what was configured.
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
