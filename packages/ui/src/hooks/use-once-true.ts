import { useState } from 'react'

/** False until `isTrue` has been true once, then always true: for loading a lazy component only when needed. */
export function useOnceTrue(isTrue: boolean): boolean {
  const [hasBeen, setHasBeen] = useState(isTrue)
  if (isTrue && !hasBeen) setHasBeen(true)
  return hasBeen
}
