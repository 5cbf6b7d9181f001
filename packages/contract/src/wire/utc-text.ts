/** Epoch ms as the wire's text for a moment: YYYY-MM-DD HH:MM:SS in UTC. */
export const utcText = (epochMs: number): string =>
  new Date(epochMs).toISOString().slice(0, 19).replace('T', ' ')
