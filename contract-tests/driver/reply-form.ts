import type { Contract, Media, Response } from '../../openapi/reading/contract.ts'
import { isJsonType } from '../../openapi/reading/json.ts'
import { jsonOf, valueOf } from '../../openapi/reading/wire.ts'
import type { WireReply } from '../harness/proxy.ts'
import type { Fault } from './case-runner.ts'

const TEXT_SHOWN_MAX = 200
export const shownText = ({ body }: WireReply): string => body.toString('utf8').slice(0, TEXT_SHOWN_MAX)

/** Faults in the form of a reply, by the contract's declaration for its status. */
export function formFaults(contract: Contract, reply: WireReply, response: Response): Fault[] {
  const said = (key: string, what: string): Fault => ({ key, what: `a reply ${reply.status} ${what}` })
  return [...bodyFaults(contract, reply, response, said), ...headerFaults(contract, reply, response, said)]
}

type FormFault = (key: string, what: string) => Fault

function bodyFaults(contract: Contract, reply: WireReply, { content }: Response, said: FormFault): Fault[] {
  // The contract says nothing about a reply without declared content.
  if (content.length === 0) return []
  const types = content.map(({ type }) => type).join(' or ')
  const mediaType = reply.headers['content-type']?.join(', ')
  if (reply.body.length === 0) return [said(`no body ${reply.status}`, `has no body, not ${types}`)]
  const media = content.find(({ type }) => isOfType(mediaType ?? '', type))
  if (!media) return [said(`media type ${reply.status}`, `has the media type ${mediaType ?? 'none'}, not ${types}`)]
  return valueFaults(contract, reply, media, said)
}

function valueFaults(contract: Contract, reply: WireReply, { type, schema }: Media, said: FormFault): Fault[] {
  const isJson = isJsonType(reply.headers['content-type']?.[0] ?? type)
  // Of other media types only a text can be checked against a schema.
  if (!isJson && contract.flat(schema).type !== 'string') return []
  const value = isJson ? jsonOf(reply.body) : reply.body.toString('utf8')
  if (value === undefined) return [said(`no JSON ${reply.status}`, `is no JSON: ${shownText(reply)}`)]
  const fault = contract.faultIn(schema, value)
  if (fault === undefined) return []
  // One defect, whichever element or branch shows it.
  return [said(`schema ${reply.status} ${fault.replaceAll(/\/\d+/g, '/…')}`, `does not fit the contract: ${fault}`)]
}

function headerFaults(contract: Contract, reply: WireReply, { headers }: Response, said: FormFault): Fault[] {
  return headers.flatMap(({ name, required, schema }) => {
    const value = reply.headers[name.toLowerCase()]?.join(', ')
    if (value === undefined) return required ? [said(`header ${name} missing`, `has no header ${name}`)] : []
    const fault = contract.faultIn(schema, valueOf(contract.flat(schema).type, value))
    if (fault === undefined) return []
    const what = `has a header ${name} that does not fit the contract: ${fault.replace('body', value)}`
    return [said(`header ${name}`, what)]
  })
}

/** Whether a media type was declared: `application/*` matches any of its kind, parameters are ignored. */
function isOfType(mediaType: string, declared: string): boolean {
  const plain = (text: string): string => text.replace(/;.*$/, '').trim().toLowerCase()
  const [is, wanted] = [plain(mediaType), plain(declared)]
  return wanted === '*/*' || is === wanted || (wanted.endsWith('/*') && is.startsWith(wanted.slice(0, -1)))
}
