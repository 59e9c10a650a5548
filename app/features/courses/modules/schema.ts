import { z } from "zod";
import { title } from "../products/schema.ts";
import { moduleTexts } from "./texts.ts";

/** A place among its siblings, as it is typed: a whole number from 1. */
export const orderNumber = z
  .string({ error: moduleTexts.orderMissing })
  .trim()
  .min(1, moduleTexts.orderMissing)
  .transform(Number)
  .pipe(
    z
      .int({ error: moduleTexts.orderLow })
      .min(1, moduleTexts.orderLow)
      .max(999_999_999, moduleTexts.orderHigh),
  );

/** Spec 5, Admin forms: course, title and order number required. */
export const moduleFields = z.object({
  productId: z.string({ error: moduleTexts.courseMissing }).min(1, moduleTexts.courseMissing),
  title,
  orderNum: orderNumber,
});

export type ModuleFields = z.infer<typeof moduleFields>;
