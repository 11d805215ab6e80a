/** The search comes with its index, once somebody wants it. */
export function offerSearch(): void {}
