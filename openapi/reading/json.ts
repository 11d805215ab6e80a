/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** Whether it is a list. */
export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)
/** Whether it is an object: no list, and not null. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** `value` as an object; empty for everything else. */
export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})
/** `value` as a list; empty for everything else. */
export const listOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : [])
/** The strings in a list; empty for everything else. */
export const stringsOf = (value: Json | undefined): string[] => listOf(value).filter((each) => typeof each === 'string')

/** A string as it is, everything else as JSON. */
export const textOf = (value: Json | undefined): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Equal as JSON: the order of an object's fields does not matter. */
export function sameJson(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true
  if (isList(one) && isList(other))
    return one.length === other.length && one.every((each, index) => sameJson(each, other[index]))
  if (!isObject(one) || !isObject(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length && keys.every((key) => key in other && sameJson(one[key], other[key]))
  )
}

/** Whether the media type is JSON: `application/json`, `application/problem+json; charset=utf-8`. */
export const isJsonType = (mediaType: string): boolean =>
  /^application\/(?:[\w.!#$&^+-]+\+)?json *(?:;|$)/i.test(mediaType)
