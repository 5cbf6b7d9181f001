import { useState } from 'react'

/** False until `isTrue` has been true for the first time, true ever after: loads a lazy part only when wanted. */
export function useOnceTrue(isTrue: boolean): boolean {
  const [hasBeen, setHasBeen] = useState(isTrue)
  if (isTrue && !hasBeen) setHasBeen(true)
  return hasBeen
}
