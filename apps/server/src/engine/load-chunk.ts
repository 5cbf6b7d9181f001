/** Rows loaded in one go, so that a million never stand in memory at once. */
export const LOAD_CHUNK = 20_000

/** Loads rows a chunk at a time: `load` gives those after the last one of the chunk before. */
export async function eachChunk<Row>(
  load: (last: Row | undefined) => Promise<Row[]>,
  take: (row: Row) => void,
): Promise<void> {
  for (let rows = await load(undefined); rows.length > 0; rows = await load(rows.at(-1))) rows.forEach(take)
}
