/* What code that is copied needs of slow5lib, whose headers pyslow5's wheel does not have. */
#include <stddef.h>
#include <stdint.h>

typedef struct slow5_file slow5_file_t;
typedef struct {
    uint16_t read_id_len;
    char *read_id;
    uint32_t read_group;
    double digitisation, offset, range, sampling_rate;
    uint64_t len_raw_signal;
    int16_t *raw_signal;
    void *aux_map;
} slow5_rec_t;

slow5_file_t *slow5_open(const char *path, const char *mode);
int slow5_close(slow5_file_t *file);
int slow5_idx_load(slow5_file_t *file);
void slow5_idx_unload(slow5_file_t *file);
char **slow5_get_rids(const slow5_file_t *file, uint64_t *count);
int slow5_get(const char *id, slow5_rec_t **record, slow5_file_t *file);
int slow5_get_next_bytes(char **raw, size_t *bytes, slow5_file_t *file);
int slow5_decode(char **raw, size_t *bytes, slow5_rec_t **record, slow5_file_t *file);
void slow5_rec_free(slow5_rec_t *record);
