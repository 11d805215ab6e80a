/**
 * The bytes of the body, or nothing when it is larger: route handlers have no limit of their own.
 *
 * @param bytesMax read no further than this
 */
export async function readBody(request: Request, bytesMax: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) return undefined
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > bytesMax) return undefined // leaving the loop stops reading
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
