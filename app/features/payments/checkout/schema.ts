import { z } from "zod";

/** What `POST /api/create-checkout` is asked with. */
export const checkoutRequest = z.object({ productId: z.uuid() });
