/** A moment's day as holidays are written, such as `2026-12-25`; in this order days sort as texts. */
export const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10)
