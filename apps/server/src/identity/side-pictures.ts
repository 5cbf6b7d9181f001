import type { IdentityForm } from '@fairlot/contract'
import { faultsIn, type IdentityCheckTable } from '../database/identity-schema.ts'
import { isRefusal, refuse, type Refusal } from '../http/refusal.ts'
import { WIRE_FIELDS } from './document-fields.ts'
import type { IdentityServices } from './identity-services.ts'

/** The keys of both sides of a document. */
export type SidePictures = { readonly front: string; readonly reverse: string }

type Side = keyof SidePictures
type Found = { readonly key: string; readonly hash: string | null }

/** The pictures of both sides: those that came, and of a side that did not come the one from before. No picture is taken twice. */
export async function picturesOf(
  { pictures }: IdentityServices,
  userId: number,
  before: IdentityCheckTable | null,
  input: IdentityForm,
): Promise<SidePictures | Refusal> {
  const wrong: readonly string[] = before ? faultsIn(before.faults).map(({ field }) => field) : []
  const find = async (side: Side): Promise<Found | Refusal> => {
    const url = input[side]
    if (url === null) return { key: before?.[side] ?? '', hash: null }
    const picture = await pictures.ownPictureOf(url, userId)
    if (!picture) return refuse('identityPictureUnknown', { field: WIRE_FIELDS[side] })
    const { key, usedBy, originalSha256: hash } = picture
    // Clients of old send all of it again: what was right stays.
    const stays = key === before?.[side] && !wrong.includes(side)
    return usedBy === null || stays
      ? { key, hash }
      : refuse('identityPictureUsed', { field: WIRE_FIELDS[side] })
  }
  const front = await find('front')
  if (isRefusal(front)) return front
  const reverse = await find('reverse')
  if (isRefusal(reverse)) return reverse
  return front.key === reverse.key || (front.hash !== null && front.hash === reverse.hash)
    ? refuse('identityPictureUsed', { field: WIRE_FIELDS.reverse })
    : { front: front.key, reverse: reverse.key }
}
