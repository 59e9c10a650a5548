export const attentionMessages = {
  attended: { title: "Marked as done", tone: "success" },
  notShown: {
    title: "Already done",
    description: "This was off the list before.",
    tone: "default",
  },
  enrolled: { title: "Enrolled", tone: "success" },
  cannotEnroll: "This payment cannot open the course any more. Please look at it again.",
  loadFailed: "Failed to load payments",
  actionFailed: "Failed to change the payment",
} as const;
