import type { Judge } from './observed-exchange.ts'
import type { Rule } from './rule.ts'

/** The page "Keys": the API sends no CORS headers. `null` is an origin too: that of any sandboxed frame. */
const crossOriginJudge: Judge = ({ direction, path, exchange: { request, reply } }) => {
  if (direction === 'received') return []
  const origin = request.headers.origin?.join(', ')
  return Object.keys(reply.headers)
    .filter((name) => /^(?:access-control-allow-|timing-allow-origin)/.test(name))
    .map((name) => ({
      rule: `cross origin ${name}`,
      what: `a reply ${reply.status} to ${request.method} ${path} ${origin === undefined ? 'without an Origin' : `with Origin: ${origin}`} has ${name}: ${reply.headers[name]?.join(', ')}; keys belong in no browser, and the contract has no CORS headers`,
    }))
}

export const crossOriginRule: Rule = {
  name: 'cross-origin headers',
  reason: 'No page of another site may read a reply: the API sends no CORS headers, whatever `Origin` a request has.',
  plantedFault: 'cors-for-local-pages',
  judging: () => ({ each: crossOriginJudge }),
}
